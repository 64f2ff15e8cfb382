// A form, which Nest parses by itself. It keeps nothing.
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';

interface Form {
  name: string;
  email: string;
  age: string;
}

@Controller('form')
class FormController {
  @Post()
  @HttpCode(200)
  submit(@Body() { name, email, age }: Form) {
    return { name, email, age };
  }
}

@Module({ controllers: [FormController] })
export class FormModule {}
