import {
  Body,
  Controller,
  Get,
  type MessageEvent,
  Module,
  Param,
  Patch,
  Post,
  Query,
  SerializeOptions,
  Sse,
  Version,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { concatMap, interval, map, type Observable, of, take, throwError } from 'rxjs';
import { ProductDto, ProductPatchDto, ProductSearchDto, Product, Seller } from './product';

const pen = (): Product =>
  new Product({ id: 7, name: 'pen', price: 250, secret: 'cost 20', seller: new Seller({ name: 'Ann', tax: 'DE1' }) });

@Controller({ path: 'products', version: ['1', '2'] })
export class ProductsController {
  @Get()
  first(): Product[] {
    return [pen()];
  }

  @Version('2')
  @Get('one')
  @SerializeOptions({ groups: ['staff'] })
  two(): Product {
    return pen();
  }

  @Version('3')
  @Get('one')
  @SerializeOptions({ strategy: 'excludeAll' })
  three(): Product {
    return pen();
  }

  @Post()
  add(@Body() product: ProductDto): object {
    return { type: product.constructor.name, ...product };
  }

  @Patch(':id')
  change(@Param('id') id: number, @Body() changes: ProductPatchDto): object {
    return { id, type: typeof id, changes: { ...changes } };
  }

  @Get('search')
  search(@Query() query: ProductSearchDto): object {
    return { ...query };
  }
}

@Controller({ path: 'status', version: VERSION_NEUTRAL })
export class StatusController {
  @Get()
  tell(): string {
    return 'neutral';
  }
}

@Controller('events')
export class EventsController {
  @Sse('ticks')
  ticks(): Observable<MessageEvent> {
    return interval(5).pipe(
      take(3),
      map((n) => ({ id: String(n), type: 'tick', retry: 500, data: { n } })),
    );
  }

  @Sse('lines')
  lines(): Observable<string> {
    return of('one', 'two\nlines');
  }

  @Sse('broken')
  broken(): Observable<MessageEvent> {
    return of(1, 2).pipe(concatMap((n) => (n === 1 ? of({ data: 'first' }) : throwError(() => new Error('no more')))));
  }
}

@Module({ controllers: [ProductsController, StatusController, EventsController] })
export class CatalogApplication {}
