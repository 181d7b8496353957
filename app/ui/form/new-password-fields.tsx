import { useRef, useState } from "react"
import { PASSWORD_LENGTH } from "~/domain/customer"
import { useTranslation } from "~/i18n/use-translation"
import { PasswordInput } from "./password-input"
import type { FieldCheck } from "./use-field-check"
import { fieldOf } from "./use-form-guard"

const labels = ["guessable", "guessable", "weak", "good", "strong"] as const
type StrengthLabel = (typeof labels)[number]

/** A new password, typed twice. With script its strength is shown while typing. */
export function NewPassword({ check }: { check: FieldCheck }) {
  const { t } = useTranslation()
  const { strength, validate, output } = useStrength()
  const field = { autoComplete: "new-password", check } as const
  return (
    <>
      <PasswordInput {...field} name="newPassword" label={t("password.label")} onTyped={validate} />
      <p className="note">
        {t("password.least", { least: PASSWORD_LENGTH.min })}{" "}
        <output ref={output} aria-live="polite">
          {strength && t(`password.strength.${strength}`)}
        </output>
      </p>
      <PasswordInput {...field} name="confirmPassword" label={t("resellers.account.confirm")} />
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
    const form = output.current?.closest("form")
    const validated = await wireStatusFor(typed, (form && fieldOf(form, "email")?.value) ?? "")
    if (latest.current === typed) setStrength(validated)
  }
  return { strength, output, validate: (typed: string) => void validate(typed) }
}

/** Null for a password that is too short, and if the meter cannot be loaded: the server checks anyway. */
async function wireStatusFor(typed: string, email: string): Promise<StrengthLabel | null> {
  if (typed.length < PASSWORD_LENGTH.min) return null
  const validate = await import("~/domain/password-strength").catch(() => null)
  return validate && labels[await validate.strengthOf(typed, email)]
}
