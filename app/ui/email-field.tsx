import { EMAIL_LENGTH } from "~/domain/email"
import { useTranslation } from "~/locales/use-translation"
import { FieldProblem, flagged } from "./problems"
import { Step } from "./step"
import type { EmailCheck } from "./use-email-check"

type Field = { number: number; typed: string; check: EmailCheck }

/** Where the buyer is reached. With script a mistake is named when he leaves the field, in his language. */
export function EmailField({ number, typed, check }: Field) {
  const { t } = useTranslation()
  const { problems, judge, forgive } = check
  return (
    <Step number={number} heading={t("checkout.email.heading")}>
      <label className="field" htmlFor="email">
        {t("checkout.email.label")}
      </label>
      <input
        id="email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        maxLength={EMAIL_LENGTH}
        defaultValue={typed}
        onBlur={({ currentTarget: { value } }) => value && judge(value)}
        onInput={() => problems.email && forgive()}
        {...flagged(problems, "email")}
      />
      <FieldProblem problems={problems} field="email" />
      <p className="note">{t("checkout.email.note")}</p>
    </Step>
  )
}
