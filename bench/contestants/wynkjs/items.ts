// The two database queries, through one pool of node-postgres held by a service; rows leave as the driver
// gives them.
import { Pool } from 'pg';
import { Body, Controller, Get, HttpCode, Injectable, Post, Query } from 'wynkjs';

const LIST =
  'SELECT id, name, description, category, price, quantity, rating, active, sku, color, created_at, updated_at ' +
  'FROM items WHERE category = $1 ORDER BY id LIMIT 100';
const INSERT = 'INSERT INTO inserted (name, category, price) VALUES ($1,$2,$3) RETURNING name, category, price';

interface Item {
  name: string;
  category: number;
  price: number;
}

@Injectable()
export class ItemsService {
  private readonly pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });

  async list(category: number) {
    const { rows } = await this.pool.query(LIST, [category]);
    return rows;
  }

  async insert({ name, category, price }: Item) {
    const { rows } = await this.pool.query(INSERT, [name, category, price]);
    return rows[0];
  }
}

@Injectable()
@Controller('/items')
export class ItemsController {
  constructor(private items: ItemsService) {}

  @Get()
  list(@Query('category') category: string) {
    return this.items.list(Number(category));
  }

  @Post()
  @HttpCode(201)
  insert(@Body() item: Item) {
    return this.items.insert(item);
  }
}
