/** What signing up and in take and give. */
import { ApiProperty } from 'fulmar/controllers/openapi';
import { IsEmail, IsString, Length, MaxLength } from 'class-validator';
import { IsText } from '../common/text.ts';
import { UserView } from '../users/user.ts';

const PASSWORD_LENGTH_MAX = 200;

export class SignIn {
  @ApiProperty({ format: 'email', maxLength: 254 })
  @IsEmail()
  @MaxLength(254)
  email: string;

  @ApiProperty({ maxLength: PASSWORD_LENGTH_MAX })
  @IsString()
  @MaxLength(PASSWORD_LENGTH_MAX)
  password: string;
}

export class SignUp {
  @ApiProperty({ format: 'email', maxLength: 254 })
  @IsEmail()
  @MaxLength(254)
  email: string;

  @ApiProperty({ minLength: 1, maxLength: 100 })
  @IsText(1, 100)
  name: string;

  @ApiProperty({ minLength: 10, maxLength: PASSWORD_LENGTH_MAX })
  @Length(10, PASSWORD_LENGTH_MAX)
  password: string;
}

export class Session {
  @ApiProperty({ description: 'For `Authorization: Bearer …`.' })
  token: string;

  @ApiProperty()
  user: UserView;
}
