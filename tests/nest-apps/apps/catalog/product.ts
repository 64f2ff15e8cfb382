import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/mapped-types';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsPositive, IsString, Length } from 'class-validator';

export class Seller {
  name: string;

  @Exclude()
  tax: string;

  constructor(from: Partial<Seller>) {
    Object.assign(this, from);
  }
}

export class Product {
  @Expose()
  id: number;

  name: string;

  @Transform(({ value }) => `${(value as number) / 100} €`)
  price: number;

  @Expose({ groups: ['staff'] })
  secret: string;

  @Type(() => Seller)
  seller: Seller;

  constructor(from: Partial<Product>) {
    Object.assign(this, from);
  }

  @Expose()
  get label(): string {
    return `${this.id}: ${this.name}`;
  }
}

export class ProductDto {
  @IsString()
  @Length(2, 10)
  name: string;

  @IsInt()
  @IsPositive()
  @Type(() => Number)
  price: number;
}

export class PageDto {
  @IsInt()
  @Type(() => Number)
  page: number;
}

export class ProductPatchDto extends PartialType(ProductDto) {}
export class ProductSearchDto extends IntersectionType(PickType(ProductDto, ['name'] as const), OmitType(PageDto, [] as const)) {}
