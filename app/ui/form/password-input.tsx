import { getInputProps } from "@conform-to/react"
import { PASSWORD_LENGTH } from "~/domain/customers/customer"
import { FieldError } from "./field-error"
import type { FormField } from "./use-checked-form"

type Password = {
  field: FormField
  label: string
  autoComplete: "current-password" | "new-password"
  onTyped?(typed: string): void
}

/** A password field. Its value is never rendered. */
export function PasswordInput({ field, label, autoComplete, onTyped }: Password) {
  return (
    <>
      <label className="field" htmlFor={field.id}>
        {label}
      </label>
      <input
        {...getInputProps(field, { type: "password", value: false })}
        autoComplete={autoComplete}
        maxLength={PASSWORD_LENGTH.max}
        onInput={({ currentTarget }) => onTyped?.(currentTarget.value)}
      />
      <FieldError field={field} />
    </>
  )
}
