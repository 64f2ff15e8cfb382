import { Body, Controller, Get, Module, NotFoundException, Param, ParseIntPipe, Patch, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
  PartialType,
} from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

export class NoteDto {
  @ApiProperty({ maxLength: 20, example: 'Milk' })
  @IsString()
  @MaxLength(20)
  title: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  text?: string;
}

export class NotePatchDto extends PartialType(NoteDto) {}

export class Note extends NoteDto {
  @ApiProperty()
  id: number;
}

@ApiTags('notes')
@ApiBearerAuth()
@Controller('notes')
export class NotesController {
  readonly #notes: Note[] = [];

  @Get()
  @ApiOkResponse({ type: [Note] })
  all(): Note[] {
    return this.#notes;
  }

  @Post()
  @ApiOperation({ summary: 'Writes a note' })
  @ApiCreatedResponse({ type: Note })
  add(@Body() note: NoteDto): Note {
    const made = { id: this.#notes.length + 1, ...note };
    this.#notes.push(made);
    return made;
  }

  @Patch(':id')
  @ApiOkResponse({ type: Note })
  @ApiNotFoundResponse({ description: 'There is no such note' })
  change(@Param('id', ParseIntPipe) id: number, @Body() changes: NotePatchDto): Note {
    const found = this.#notes.find((note) => note.id === id);
    if (found === undefined) throw new NotFoundException();
    return Object.assign(found, changes);
  }
}

@Module({ controllers: [NotesController] })
export class DocumentedApplication {}
