import { Body, Controller, Delete, Get, HttpCode, Param, ParseIntPipe, Patch, Post, UsePipes, ValidationPipe } from 'fulmar/controllers';
import { CreateSampleThingDto } from './dto/create-sample-thing.dto';
import { UpdateSampleThingDto } from './dto/update-sample-thing.dto';
import { SampleThing } from './entities/sample-thing.entity';
import { SampleThingsService } from './sample-things.service';

@Controller('sample-things')
@UsePipes(new ValidationPipe({ whitelist: true, transform: true }))
export class SampleThingsController {
  constructor(private readonly sampleThingsService: SampleThingsService) {}

  @Post()
  create(@Body() given: CreateSampleThingDto): SampleThing {
    return this.sampleThingsService.create(given);
  }

  @Get()
  findAll(): SampleThing[] {
    return this.sampleThingsService.findAll();
  }

  @Get(':id')
  findOne(@Param('id', ParseIntPipe) id: number): SampleThing {
    return this.sampleThingsService.findOne(id);
  }

  @Patch(':id')
  update(@Param('id', ParseIntPipe) id: number, @Body() given: UpdateSampleThingDto): SampleThing {
    return this.sampleThingsService.update(id, given);
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id', ParseIntPipe) id: number): void {
    this.sampleThingsService.remove(id);
  }
}
