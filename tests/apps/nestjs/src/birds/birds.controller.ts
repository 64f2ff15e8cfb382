import { setTimeout as pause } from 'node:timers/promises';
import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  DefaultValuePipe,
  Delete,
  Get,
  HttpCode,
  HttpException,
  ImATeapotException,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Patch,
  Post,
  Put,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { CurrentUser, Roles } from '../common/roles.decorator.js';
import type { User } from '../common/roles.decorator.js';
import { BirdChangeDto, BirdQueryDto, Colour, NewBirdDto } from './bird.dto.js';
import type { Bird } from './bird.entity.js';
import { BirdsService } from './birds.service.js';

@Roles('watcher')
@UseInterceptors(ClassSerializerInterceptor)
@Controller('birds')
export class BirdsController {
  constructor(private readonly birds: BirdsService) {}

  @Get()
  list(@Query() query: BirdQueryDto): unknown {
    return this.birds.list(query);
  }

  @Get('me')
  me(@CurrentUser() user: User, @CurrentUser('name') name: string): { user: User; name: string } {
    return { user, name };
  }

  @Get('pipes')
  pipes(
    @Query('ids', new ParseArrayPipe({ items: Number, separator: ',' })) ids: number[],
    @Query('colour', new ParseEnumPipe(Colour)) colour: Colour,
    @Query('flag', new DefaultValuePipe(false), ParseBoolPipe) flag: boolean,
    @Query('ratio', new DefaultValuePipe(1.5), ParseFloatPipe) ratio: number,
  ): unknown {
    return { ids, colour, flag, ratio };
  }

  @Get('by-uuid/:uuid')
  byUuid(@Param('uuid', new ParseUUIDPipe({ version: '4', errorHttpStatusCode: 406 })) uuid: string): { uuid: string } {
    return { uuid };
  }

  @Get('fail/:how')
  async fail(@Param('how') how: string): Promise<never> {
    await pause(1);
    switch (how) {
      case 'teapot':
        throw new ImATeapotException();
      case 'own':
        throw new HttpException({ status: 'own', words: ['ü', '☃'] }, 499, { cause: new Error('inner') });
      case 'text':
        throw new HttpException('Only text', 422);
      case 'value':
        // oxlint-disable-next-line no-throw-literal -- what a careless application does
        throw 'a string';
      default:
        throw new Error('the secret of the database');
    }
  }

  @Get('slow/:ms')
  async slow(@Param('ms', ParseIntPipe) ms: number): Promise<{ slept: number }> {
    console.log(`asleep for ${ms} ms`);
    await pause(ms);
    return { slept: ms };
  }

  @Roles('nobody')
  @Get('locked')
  locked(): string {
    return 'never seen';
  }

  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number): Bird {
    return this.birds.find(id);
  }

  @Post()
  add(@Body() body: NewBirdDto): Bird {
    return this.birds.add(body);
  }

  @Post('many')
  addMany(@Body(new ParseArrayPipe({ items: NewBirdDto, whitelist: true })) bodies: NewBirdDto[]): Bird[] {
    return bodies.map((body) => this.birds.add(body));
  }

  @Put(':id')
  replace(@Param('id', ParseIntPipe) id: number, @Body() body: NewBirdDto): Bird {
    return this.birds.change(id, body);
  }

  @Patch(':id')
  change(@Param('id', ParseIntPipe) id: number, @Body() body: BirdChangeDto): Bird {
    return this.birds.change(id, body);
  }

  @Roles('warden')
  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id', ParseIntPipe) id: number): void {
    this.birds.remove(id);
  }
}
