// The two greetings; Fastify sends a text as text/plain. Nothing here reads a request.
import { Controller, Get, Module } from '@nestjs/common';

@Controller()
class TextController {
  @Get()
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
