import { PartialType } from './partial-type.js';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDate,
  IsEmail,
  IsEnum,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';

export enum Colour {
  Grey = 'grey',
  White = 'white',
  Black = 'black',
}

export class NestDto {
  @IsInt()
  @Min(0)
  @Max(500, { message: 'the cliff is only $constraint1 m high' })
  heightM!: number;

  @IsOptional()
  @IsDate()
  @Type(() => Date)
  built?: Date;
}

export class NewBirdDto {
  @IsString()
  @Length(2, 40)
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  name!: string;

  @IsEnum(Colour)
  colour: Colour = Colour.Grey;

  @IsOptional()
  @IsEmail()
  owner?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(3)
  @IsString({ each: true })
  @Matches(/^[A-Z]{2}\d+$/, { each: true })
  rings?: string[];

  @ValidateNested({ each: true })
  @Type(() => NestDto)
  @IsOptional()
  nests?: NestDto[];
}

export class BirdChangeDto extends PartialType(NewBirdDto) {}

export class BirdQueryDto {
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  search?: string;

  @IsInt()
  @Min(1)
  page = 1;

  @IsInt()
  @Min(1)
  @Max(20)
  limit = 5;

  @IsOptional()
  exact?: boolean;
}
