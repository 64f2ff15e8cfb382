import {
  Body,
  ConflictException,
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
} from '@nestjs/common';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, QueryFailedError, Repository } from 'typeorm';
import { Author, Book } from './entities';

@Injectable()
export class LibraryService {
  constructor(
    @InjectRepository(Book) private readonly books: Repository<Book>,
    @InjectRepository(Author) private readonly authors: Repository<Author>,
    @InjectDataSource() private readonly source: DataSource,
  ) {}

  all(): Promise<Book[]> {
    return this.books.find({ relations: { author: true }, order: { id: 'ASC' } });
  }

  async one(id: number): Promise<Book> {
    const found = await this.books.findOne({ where: { id }, relations: { author: true } });
    if (found === null) throw new NotFoundException(`There is no book ${id}`);
    return found;
  }

  async add(title: string, name: string): Promise<Book> {
    try {
      return await this.source.transaction(async (manager) => {
        const author = (await manager.findOneBy(Author, { name })) ?? (await manager.save(manager.create(Author, { name })));
        return manager.save(manager.create(Book, { title, author }));
      });
    } catch (error) {
      if (error instanceof QueryFailedError) throw new ConflictException('There is such a book');
      throw error;
    }
  }

  async remove(id: number): Promise<number> {
    const { affected } = await this.books.delete(id);
    return affected ?? 0;
  }

  countAuthors(): Promise<number> {
    return this.authors.count();
  }
}

@Controller('books')
export class BooksController {
  constructor(private readonly library: LibraryService) {}

  @Get()
  all(): Promise<Book[]> {
    return this.library.all();
  }

  @Get('authors')
  async authors(): Promise<object> {
    return { count: await this.library.countAuthors() };
  }

  @Get(':id')
  one(@Param('id', ParseIntPipe) id: number): Promise<Book> {
    return this.library.one(id);
  }

  @Post()
  add(@Body() { title, author }: { title: string; author: string }): Promise<Book> {
    return this.library.add(title, author);
  }

  @Delete(':id')
  async remove(@Param('id', ParseIntPipe) id: number): Promise<object> {
    return { removed: await this.library.remove(id) };
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Book, Author])],
  controllers: [BooksController],
  providers: [LibraryService],
})
export class BooksModule {}

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      useFactory: () => ({ type: 'sqljs', autoLoadEntities: true, synchronize: true }),
    }),
    BooksModule,
  ],
})
export class LibraryApplication {}
