// `updateUser` with address, tags and orders: a DTO of class-validator, revived by class-transformer through
// the `ValidationPipe`. It keeps nothing.
import { Body, Controller, HttpCode, type INestApplication, Module, Post, ValidationPipe } from '@nestjs/common';
import { UserWithOrdersDto } from './user-with-orders.dto.js';

@Controller('updateUser')
class UpdateUserController {
  @Post()
  @HttpCode(200)
  update(@Body() user: UserWithOrdersDto) {
    const lastOrderYear = Math.max(...user.orders.map(({ placedAt }) => placedAt.getUTCFullYear()));
    return { ...user, birthYear: user.birthday.getUTCFullYear(), lastOrderYear };
  }
}

@Module({ controllers: [UpdateUserController] })
class UpdateUserModule {}

export const module = UpdateUserModule;

export function configure(app: INestApplication) {
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
}
