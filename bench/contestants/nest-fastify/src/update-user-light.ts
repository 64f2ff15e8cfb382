// `updateUser` with five fields: a DTO of class-validator, revived by class-transformer through the
// `ValidationPipe`. It keeps nothing.
import { Body, Controller, HttpCode, type INestApplication, Module, Post, ValidationPipe } from '@nestjs/common';
import { UserDto } from './user.dto.js';

@Controller('updateUser')
class UpdateUserController {
  @Post()
  @HttpCode(200)
  update(@Body() user: UserDto) {
    return { ...user, birthYear: user.birthday.getUTCFullYear() };
  }
}

@Module({ controllers: [UpdateUserController] })
class UpdateUserModule {}

export const module = UpdateUserModule;

export function configure(app: INestApplication) {
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
}
