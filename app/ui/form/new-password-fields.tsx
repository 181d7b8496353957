import { useRef, useState } from "react"
import { PASSWORD_LENGTH } from "~/domain/customers/customer"
import { useTranslation } from "~/i18n/use-translation"
import { PasswordInput } from "./password-input"
import type { FormField } from "./use-checked-form"

const labels = ["guessable", "guessable", "weak", "good", "strong"] as const
type StrengthLabel = (typeof labels)[number]

type NewPasswordFields = { newPassword: FormField; confirmPassword: FormField }

/** A new password, typed twice. With script its strength is shown while typing. */
export function NewPassword({ newPassword, confirmPassword }: NewPasswordFields) {
  const { t } = useTranslation()
  const { strength, validate, output } = useStrength()
  return (
    <>
      <PasswordInput
        field={newPassword}
        autoComplete="new-password"
        label={t("password.label")}
        onTyped={validate}
      />
      <p className="note">
        {t("password.least", { least: PASSWORD_LENGTH.min })}{" "}
        <output ref={output} aria-live="polite">
          {strength && t(`password.strength.${strength}`)}
        </output>
      </p>
      <PasswordInput
        field={confirmPassword}
        autoComplete="new-password"
        label={t("resellers.account.confirm")}
      />
    </>
  )
}

/** Loads the strength meter with the first input; drops results for outdated input. */
function useStrength() {
  const [strength, setStrength] = useState<StrengthLabel | null>(null)
  const latest = useRef("")
  const output = useRef<HTMLOutputElement>(null)
  const validate = async (typed: string) => {
    latest.current = typed
    const email = output.current?.closest("form")?.querySelector<HTMLInputElement>("[name=email]")
    const validated = await wireStatusFor(typed, email?.value ?? "")
    if (latest.current === typed) setStrength(validated)
  }
  return { strength, output, validate: (typed: string) => void validate(typed) }
}

/** Null for a password that is too short, and if the meter cannot be loaded: the server checks anyway. */
async function wireStatusFor(typed: string, email: string): Promise<StrengthLabel | null> {
  if (typed.length < PASSWORD_LENGTH.min) return null
  const validate = await import("~/domain/customers/password-strength").catch(() => null)
  return validate && labels[await validate.strengthOf(typed, email)]
}
