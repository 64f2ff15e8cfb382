// `updateUser`, light and heavy: schemas of `DTO`, whose `Date` decodes ISO date-times to dates. It keeps
// nothing.
import { Body, CommonDTO, Controller, DTO, Post } from 'wynkjs';

const text = DTO.String({ minLength: 1, maxLength: 100 });

const user = {
  id: DTO.Integer({ minimum: 1 }),
  name: text,
  email: CommonDTO.Email(),
  birthday: DTO.Date(),
  active: DTO.Boolean(),
};

const UserDTO = DTO.Object(user);

const UserWithOrdersDTO = DTO.Object({
  ...user,
  address: DTO.Object({ street: text, city: text, zip: text, country: text }),
  tags: DTO.Array(text, { minItems: 10, maxItems: 10 }),
  orders: DTO.Array(DTO.Object({ id: DTO.Integer(), total: DTO.Number(), placedAt: DTO.Date() }), { minItems: 8, maxItems: 8 }),
});

@Controller('/updateUser')
export class LightController {
  @Post({ path: '/', body: UserDTO })
  update(@Body() body: any) {
    return { ...body, birthYear: body.birthday.getUTCFullYear() };
  }
}

@Controller('/updateUser')
export class HeavyController {
  @Post({ path: '/', body: UserWithOrdersDTO })
  update(@Body() body: any) {
    const lastOrderYear = Math.max(...body.orders.map(({ placedAt }: { placedAt: Date }) => placedAt.getUTCFullYear()));
    return { ...body, birthYear: body.birthday.getUTCFullYear(), lastOrderYear };
  }
}
