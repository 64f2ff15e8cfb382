// A large list behind the framework's own compression plugin. Read once, serialised for each request.
import { compression, Controller, Get } from 'wynkjs';

const list = await Bun.file(process.env.DATA_FILE!).json();

@Controller('/data')
class DataController {
  @Get()
  findAll() {
    return list;
  }
}

export const data = { controllers: [DataController], plugins: [compression()] };
