// One user by path and query, and one from JSON content. It keeps nothing.
import { Body, Controller, Get, HttpCode, Param, Post, Query } from 'wynkjs';

interface User {
  name: string;
  email: string;
  age: number;
}

@Controller('/users')
export class UsersController {
  @Get('/:id')
  findOne(@Param('id') id: string, @Query('page') page: string, @Query('sort') sort: string) {
    return { id, page, sort };
  }

  @Post('/')
  @HttpCode(201)
  create(@Body() { name, email, age }: User) {
    return { name, email, age };
  }
}
