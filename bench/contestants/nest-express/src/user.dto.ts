// The body of `updateUser`, as class-validator checks it and class-transformer revives it.
import { Type } from 'class-transformer';
import { IsBoolean, IsDate, IsEmail, IsInt, IsString, Length, Min } from 'class-validator';

export class UserDto {
  @IsInt()
  @Min(1)
  id!: number;

  @IsString()
  @Length(1, 100)
  name!: string;

  @IsEmail()
  email!: string;

  @Type(() => Date)
  @IsDate()
  birthday!: Date;

  @IsBoolean()
  active!: boolean;
}
