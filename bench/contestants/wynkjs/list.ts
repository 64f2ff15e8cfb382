// Ten users held by a service, mapped for each request. It never changes them.
import { Controller, Get, Injectable } from 'wynkjs';

@Injectable()
export class UsersService {
  private readonly users = Array.from({ length: 10 }, (_, index) => {
    const id = index + 1;
    return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
  });

  findAll() {
    return this.users;
  }
}

@Injectable()
@Controller('/users')
export class ListController {
  constructor(private users: UsersService) {}

  @Get()
  findAll() {
    return this.users.findAll().map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt }));
  }
}
