import { Exclude, Expose } from 'class-transformer';
import type { Colour, NestDto } from './bird.dto.js';

export class Bird {
  id!: number;
  name!: string;
  colour!: Colour;
  nests: NestDto[] = [];
  rings: string[] = [];

  @Exclude()
  owner?: string;

  @Expose()
  get title(): string {
    return `${this.name} (${this.colour})`;
  }

  constructor(values: Partial<Bird>) {
    Object.assign(this, values);
  }
}
