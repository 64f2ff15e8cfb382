// The two database queries, through one pool of node-postgres held by a provider; rows leave as the driver
// gives them.
import { Body, Controller, Get, Injectable, Module, Post, Query } from '@nestjs/common';
import pg from 'pg';

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
class ItemsService {
  private readonly pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });

  async list(category: number) {
    const { rows } = await this.pool.query(LIST, [category]);
    return rows;
  }

  async insert({ name, category, price }: Item) {
    const { rows } = await this.pool.query(INSERT, [name, category, price]);
    return rows[0];
  }
}

@Controller('items')
class ItemsController {
  constructor(private readonly items: ItemsService) {}

  @Get()
  list(@Query('category') category: string) {
    return this.items.list(Number(category));
  }

  @Post()
  insert(@Body() item: Item) {
    return this.items.insert(item);
  }
}

@Module({ controllers: [ItemsController], providers: [ItemsService] })
export class ItemsModule {}
