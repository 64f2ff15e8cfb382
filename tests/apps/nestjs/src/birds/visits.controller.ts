import { Controller, Get } from '@nestjs/common';
import { Public } from '../common/roles.decorator.js';
import { VisitService } from './birds.service.js';

@Public()
@Controller('visits')
export class VisitsController {
  constructor(private readonly visit: VisitService) {}

  @Get()
  show(): unknown {
    return this.visit.describe();
  }
}
