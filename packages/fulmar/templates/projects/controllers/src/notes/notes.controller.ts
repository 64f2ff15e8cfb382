import { Body, Controller, Delete, Get, HttpCode, Param, ParseIntPipe, Patch, Post, UsePipes, ValidationPipe } from 'fulmar/controllers';
import { CreateNoteDto } from './dto/create-note.dto';
import { UpdateNoteDto } from './dto/update-note.dto';
import { Note } from './entities/note.entity';
import { NotesService } from './notes.service';

@Controller('notes')
@UsePipes(new ValidationPipe({ whitelist: true, transform: true }))
export class NotesController {
  constructor(private readonly notesService: NotesService) {}

  @Post()
  create(@Body() given: CreateNoteDto): Note {
    return this.notesService.create(given);
  }

  @Get()
  findAll(): Note[] {
    return this.notesService.findAll();
  }

  @Get(':id')
  findOne(@Param('id', ParseIntPipe) id: number): Note {
    return this.notesService.findOne(id);
  }

  @Patch(':id')
  update(@Param('id', ParseIntPipe) id: number, @Body() given: UpdateNoteDto): Note {
    return this.notesService.update(id, given);
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id', ParseIntPipe) id: number): void {
    this.notesService.remove(id);
  }
}
