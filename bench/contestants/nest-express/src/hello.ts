// The two greetings. Nest sends texts as HTML where Express does; `Header` names the type. Nothing here reads
// a request.
import { Controller, Get, Header, Module } from '@nestjs/common';

@Controller()
class TextController {
  @Get()
  @Header('Content-Type', 'text/plain')
  greet() {
    return 'Hello, World!';
  }
}

@Controller()
class JsonController {
  @Get()
  greet() {
    return { message: 'Hello, World!' };
  }
}

@Module({ controllers: [TextController] })
export class TextModule {}

@Module({ controllers: [JsonController] })
export class JsonModule {}
