import {
  Body,
  Controller,
  DefaultValuePipe,
  Delete,
  Get,
  Header,
  HttpCode,
  HttpException,
  HttpStatus,
  Param,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Post,
  Put,
  Query,
  Redirect,
  UseFilters,
} from '@nestjs/common';
import { CatsService, type Cat } from './cats.service';
import { CatDto, CatQuery } from './cat.dto';
import { Roles } from './roles.decorator';
import { NoCatFilter, NoCatError, TeapotError } from './teapot.filter';
import { User, type CurrentUser } from './user.decorator';

enum Mood {
  calm = 'calm',
  wild = 'wild',
}

@Controller('cats')
export class CatsController {
  constructor(private readonly cats: CatsService) {}

  @Get()
  all(@Query() query: CatQuery): Cat[] {
    return this.cats.all(query.limit ?? 10);
  }

  @Get('me')
  me(@User() user: CurrentUser | undefined, @User('roles') roles: string[] | undefined): object {
    return { name: user?.name ?? null, roles: roles ?? null };
  }

  @Get('none')
  none(@User() user: CurrentUser | undefined): object {
    return { user: user ?? 'nobody' };
  }

  @Get('mood/:mood')
  mood(
    @Param('mood', new ParseEnumPipe(Mood)) mood: Mood,
    @Query('loud', new DefaultValuePipe(false), ParseBoolPipe) isLoud: boolean,
  ): object {
    return { mood, isLoud };
  }

  @Get('chip/:id')
  chip(@Param('id', new ParseUUIDPipe({ version: '4', errorHttpStatusCode: HttpStatus.NOT_ACCEPTABLE })) id: string): string {
    return id;
  }

  @Get('docs')
  @Redirect('https://docs.example/cats', 302)
  docs(@Query('version') version?: string): object | undefined {
    return version === undefined ? undefined : { url: `https://docs.example/cats/${version}`, statusCode: 301 };
  }

  @Get('tea')
  tea(): never {
    throw new TeapotError();
  }

  @Get('broken')
  broken(): never {
    throw new Error('a secret of the inside');
  }

  @Get('odd')
  async odd(): Promise<never> {
    await Promise.resolve();
    throw new HttpException({ status: 'odd', code: 77 }, HttpStatus.CONFLICT, { cause: new Error('why') });
  }

  @Get('lost')
  @UseFilters(NoCatFilter)
  lost(): never {
    throw new NoCatError('Garfield');
  }

  @Get(':id')
  one(@Param('id', ParseIntPipe) id: number): Cat {
    return this.cats.one(id);
  }

  @Post()
  @Roles('admin')
  @Header('Cache-Control', 'no-store')
  add(@Body() cat: CatDto): Cat {
    return this.cats.add({ name: cat.name, age: cat.age, tags: cat.tags ?? [] });
  }

  @Put(':id')
  @Roles('admin', 'keeper')
  @HttpCode(HttpStatus.ACCEPTED)
  change(@Param('id', ParseIntPipe) id: number, @Body('name') name: string): object {
    return { id: this.cats.one(id).id, name };
  }

  @Delete(':id')
  @Roles('admin')
  @HttpCode(204)
  remove(@Param('id', ParseIntPipe) id: number): void {
    this.cats.remove(id);
  }
}
