// One user by path and query, one from JSON content, one from a form, and ten from memory. Types say where a
// parameter comes from; nothing is kept.
import { HttpBody, HttpQuery, HttpRouterRegistry, JSONResponse } from '@deepkit/http';

interface User {
  name: string;
  email: string;
  age: number;
}

interface Form {
  name: string;
  email: string;
  age: string;
}

export function findOne(router: HttpRouterRegistry) {
  router.get('/users/:id', (id: string, page: HttpQuery<string>, sort: HttpQuery<string>) => ({ id, page, sort }));
}

export function create(router: HttpRouterRegistry) {
  router.post('/users', (body: HttpBody<User>) => {
    const { name, email, age } = body;
    return new JSONResponse({ name, email, age }, 201);
  });
}

export function submit(router: HttpRouterRegistry) {
  router.post('/form', (body: HttpBody<Form>) => {
    const { name, email, age } = body;
    return { name, email, age };
  });
}

export function findAll(router: HttpRouterRegistry) {
  const users = Array.from({ length: 10 }, (_, index) => {
    const id = index + 1;
    return { id, firstName: `First${id}`, lastName: `Last${id}`, createdAt: new Date(Date.UTC(2024, 0, id)) };
  });
  router.get('/users', () => users.map(({ id, firstName, lastName, createdAt }) => ({ id, name: `${firstName} ${lastName}`, createdAt })));
}
