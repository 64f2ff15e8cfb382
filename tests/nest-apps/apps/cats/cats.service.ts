import { Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';

export interface Cat {
  readonly id: number;
  readonly name: string;
  readonly age: number;
  readonly tags: readonly string[];
}

@Injectable()
export class CatsService implements OnModuleInit {
  readonly #cats = new Map<number, Cat>();

  onModuleInit(): void {
    this.add({ name: 'Tom', age: 3, tags: ['grey'] });
  }

  add(cat: Omit<Cat, 'id'>): Cat {
    const made = { id: this.#cats.size + 1, ...cat };
    this.#cats.set(made.id, made);
    return made;
  }

  all(limit: number): Cat[] {
    return [...this.#cats.values()].slice(0, limit);
  }

  one(id: number): Cat {
    const found = this.#cats.get(id);
    if (found === undefined) throw new NotFoundException(`There is no cat ${id}`);
    return found;
  }

  remove(id: number): void {
    this.one(id);
    this.#cats.delete(id);
  }
}
