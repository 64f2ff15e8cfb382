// `updateUser` a month later: DTOs of class-validator, revived by class-transformer through the `ValidationPipe`. It
// keeps nothing.
import { Body, Controller, HttpCode, type INestApplication, Module, Post, ValidationPipe } from '@nestjs/common';
import { UserMonthDto, UserUnionDto } from './month.dto.js';

function addMonth<User extends UserMonthDto>(user: User): User {
  user.lastUpdate.setUTCMonth(user.lastUpdate.getUTCMonth() + 1);
  return user;
}

@Controller('updateUser')
class MonthController {
  @Post()
  @HttpCode(200)
  update(@Body() user: UserMonthDto) {
    return addMonth(user);
  }
}

@Controller('updateUser')
class UnionController {
  @Post()
  @HttpCode(200)
  update(@Body() user: UserUnionDto) {
    return addMonth(user);
  }
}

@Module({ controllers: [MonthController] })
class MonthModule {}

@Module({ controllers: [UnionController] })
class UnionModule {}

function configure(app: INestApplication) {
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
}

export const month = { module: MonthModule, configure };
export const union = { module: UnionModule, configure };
