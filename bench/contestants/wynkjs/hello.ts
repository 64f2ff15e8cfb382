// The two greetings. Nothing here reads a request.
import { Controller, Get } from 'wynkjs';

@Controller('/')
export class TextController {
  @Get()
  greet() {
    return 'Hello, World!';
  }
}

@Controller('/')
export class JsonController {
  @Get()
  greet() {
    return { message: 'Hello, World!' };
  }
}
