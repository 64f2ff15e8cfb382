// One user by path and query, and one from JSON content, which Nest parses by itself. It keeps nothing.
import { Body, Controller, Get, Module, Param, Post, Query } from '@nestjs/common';

interface User {
  name: string;
  email: string;
  age: number;
}

@Controller('users')
class UsersController {
  @Get(':id')
  findOne(@Param('id') id: string, @Query('page') page: string, @Query('sort') sort: string) {
    return { id, page, sort };
  }

  @Post()
  create(@Body() { name, email, age }: User) {
    return { name, email, age };
  }
}

@Module({ controllers: [UsersController] })
export class UsersModule {}
