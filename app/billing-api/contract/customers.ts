import { z } from "zod"
import { type Customer, PASSWORD_LENGTH } from "~/domain/customers/customer"
import { locales, toLanguageName } from "~/domain/locales"
import { currencies } from "~/domain/money/money"
import { Country, Currency, Email, Flag, Id, IpAddress, TextField } from "./field-types"

const localeCodes = locales.map(({ code }) => code)

/** Not trimmed: spaces are part of a password. */
const Password = z.string().max(PASSWORD_LENGTH.max)
const NewPassword = Password.min(PASSWORD_LENGTH.min)

const Visitor = z.object({
  email: Email,
  password: Password.optional(),
  country: Country.optional(),
  clientip: IpAddress.optional(),
  language: TextField(32).optional().describe("Language name (spanish) or locale (es-es)"),
  currency: Currency.optional(),
  locale: z.enum(localeCodes).optional(),
})

export const AuthRequest = Visitor.extend({
  userid: Id.optional().describe("Only this customer, whatever the email is by now: none is created"),
})
export const ResellerAuthRequest = Visitor.extend({ password: Password, existingReseller: Flag.optional() })
export const EmailRequest = z.object({ email: Email })
export const ResellerRequest = z.object({ email: Email.optional(), userid: Id })
export const AddressRequest = z.object({ ip: TextField(64) })
export const PasswordRequest = z.object({
  userid: Id,
  password: NewPassword,
  reach: z.enum(["account", "sign-up"]).optional(),
  passwordid: Id.optional().describe("With reach sign-up: id of the password to replace"),
})
export const CustomerNamed = z.object({ userid: Id })

const Known = z.object({
  result: z.literal("success"),
  userid: z.string(),
  email: z.string(),
  language: z.string(),
  locale: z.enum(localeCodes),
  currency: z.enum(currencies),
})

/** A customer with the Bearer token that calls about the customer require. */
export const Account = Known.extend({ token: z.string() })
export const KnownCustomer = Known
export const AuthenticatedAccount = Account.extend({
  made: z.boolean().describe("This call created the account"),
  reach: z
    .enum(["account", "sign-up"])
    .describe("Scope of the password: the whole account, or only orders placed under it"),
  passwordid: Id.optional().describe("With reach sign-up: id of the password, to be sent with orders"),
})

export const IsResellerResponse = z.object({ error: z.string(), reseller: z.boolean() })
export const FraudCheckResponse = z.object({ valid: z.boolean() })
export const SuccessResponse = z.object({ result: z.literal("success") })
export const PasswordEnded = SuccessResponse.extend({ ended: z.boolean() })

export function toCustomerResponse({ id, email, locale, currency }: Customer): z.input<typeof KnownCustomer> {
  return { result: "success", userid: id, email, language: toLanguageName(locale), locale, currency }
}

export function accountOf(customer: Customer, token: string): z.input<typeof Account> {
  return { ...toCustomerResponse(customer), token }
}

export function toAuthResponse(
  customer: Customer,
  { token, made }: { token: string; made: boolean },
): z.input<typeof AuthenticatedAccount> {
  const { reach, passwordId } = customer
  return { ...accountOf(customer, token), made, reach, ...(passwordId && { passwordid: passwordId }) }
}
