import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, type Relation, Unique } from 'typeorm';

@Entity()
export class Author {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ unique: true })
  name: string;

  @OneToMany(() => Book, (book) => book.author)
  books: Relation<Book[]>;
}

@Entity()
@Unique(['title'])
export class Book {
  @PrimaryGeneratedColumn()
  id: number;

  @Column()
  title: string;

  @ManyToOne(() => Author, (author) => author.books, { nullable: false })
  author: Relation<Author>;
}
