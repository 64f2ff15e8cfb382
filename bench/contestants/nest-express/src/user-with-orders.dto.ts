// The larger body of `updateUser`: the user with an address, ten tags and eight orders.
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsDate, IsDefined, IsInt, IsNumber, IsString, Length, ValidateNested } from 'class-validator';
import { UserDto } from './user.dto.js';

class AddressDto {
  @IsString()
  @Length(1, 100)
  street!: string;

  @IsString()
  @Length(1, 100)
  city!: string;

  @IsString()
  @Length(1, 100)
  zip!: string;

  @IsString()
  @Length(1, 100)
  country!: string;
}

class OrderDto {
  @IsInt()
  id!: number;

  @IsNumber()
  total!: number;

  @Type(() => Date)
  @IsDate()
  placedAt!: Date;
}

export class UserWithOrdersDto extends UserDto {
  @IsDefined()
  @ValidateNested()
  @Type(() => AddressDto)
  address!: AddressDto;

  @IsArray()
  @ArrayMinSize(10)
  @ArrayMaxSize(10)
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  tags!: string[];

  @IsArray()
  @ArrayMinSize(8)
  @ArrayMaxSize(8)
  @ValidateNested({ each: true })
  @Type(() => OrderDto)
  orders!: OrderDto[];
}
