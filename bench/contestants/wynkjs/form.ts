// A form, which the framework parses by itself. It keeps nothing.
import { Body, Controller, Post } from 'wynkjs';

interface Form {
  name: string;
  email: string;
  age: string;
}

@Controller('/form')
export class FormController {
  @Post()
  submit(@Body() { name, email, age }: Form) {
    return { name, email, age };
  }
}
