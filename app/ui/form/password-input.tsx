import { PASSWORD_LENGTH } from "~/domain/customer"
import { FieldError, fieldErrorProps } from "./form-errors"
import type { FieldCheck } from "./use-field-check"

type Field = {
  name: "password" | "newPassword" | "confirmPassword"
  label: string
  autoComplete: "current-password" | "new-password"
  check: FieldCheck
  onTyped?(typed: string): void
}

/** A password field. Its value is never rendered. */
export function PasswordInput({ name, label, autoComplete, check, onTyped }: Field) {
  const { errors, clearErrors } = check
  return (
    <>
      <label className="field" htmlFor={name}>
        {label}
      </label>
      <input
        id={name}
        name={name}
        type={"password"}
        autoComplete={autoComplete}
        maxLength={PASSWORD_LENGTH.max}
        onInput={({ currentTarget }) => {
          if (errors[name]) clearErrors()
          onTyped?.(currentTarget.value)
        }}
        {...fieldErrorProps(errors, name)}
      />
      <FieldError errors={errors} field={name} />
    </>
  )
}
