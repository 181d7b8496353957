import { MINUTE, SECOND } from "~/domain/calendar"
import type { ResellerPlan } from "~/domain/catalogue"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { OrderForm, type ShownOffer, UpdateButton } from "../checkout/order-form"
import { PlanCards } from "../checkout/plan-cards"
import type { FieldErrors } from "../form/form-errors"
import { GatewayPicker } from "../form/gateway-picker"
import { useFieldCheck, validateEmail } from "../form/use-field-check"
import { fieldOf } from "../form/use-form-guard"
import { spanText } from "../layout/format"
import { ResellerAccountStep } from "./reseller-account"
import { ResellerPlanText } from "./reseller-plan-text"

type Reseller = ShownOffer<ResellerPlan> & {
  /** E-mail of the signed-in customer. */
  signedInEmail: string | null
  /** The visitor has a reseller account to go to. */
  isReseller: boolean
  /** The visitor selected "I have an account". */
  existing: boolean
  /** Idempotency key of the form. */
  formKey: string
  /** Seconds to wait after too many attempts; 0: none. */
  wait: number
}

/** The checkout of reseller plans: plan, account and gateway. */
export function ResellerScreen(shown: Reseller) {
  const { plans, gateways, choices, errors, typed, signedInEmail, isReseller, existing, formKey, wait } =
    shown
  const { t } = useTranslation()
  const check = useFieldCheck(errors, accountErrors)
  return (
    <OrderForm
      offer={shown}
      check={check}
      formKey={formKey}
      heading={t("resellers.heading")}
      lead={t("resellers.lead")}
      notice={<RetryAfterNotice seconds={wait} />}
    >
      {() => (
        <>
          <PlanCards
            plans={plans}
            chosen={choices.plan}
            errors={errors}
            best={null}
            text={(plan) => <ResellerPlanText plan={plan} />}
          />
          <ResellerAccountStep
            signedInEmail={signedInEmail}
            isReseller={isReseller}
            existing={existing}
            check={check}
            email={typed.email}
          />
          <GatewayPicker
            gateways={gateways}
            errors={errors}
            number={3}
            chosen={choices.gateway}
            coin={choices.coin}
          />
          <UpdateButton />
        </>
      )}
    </OrderForm>
  )
}

/** Notice of the time to wait; nothing for 0 seconds. */
function RetryAfterNotice({ seconds }: { seconds: number }) {
  const { t } = useTranslation()
  const locale = useLocale()
  if (seconds === 0) return null
  const minutes = Math.ceil((seconds * SECOND) / MINUTE) * MINUTE
  return (
    <div className="problems" role="alert">
      <p>{t("signIn.tooMany", { time: spanText(minutes, locale) })}</p>
    </div>
  )
}

/** Errors of the account fields. Hidden fields are not validated. */
function accountErrors(form: HTMLFormElement): FieldErrors {
  const email = fieldOf(form, "email")
  if (!email) return {}
  const value = (name: string) => fieldOf(form, name)?.value ?? ""
  const existing = new FormData(form).get("existing") === "yes"
  const passwordless = existing && value("password") === ""
  const different = !existing && value("newPassword") !== value("confirmPassword")
  return {
    ...validateEmail(email.value),
    ...(passwordless && { password: ["signIn.passwordRequired"] }),
    ...(different && { confirmPassword: ["resellers.notSame"] }),
  }
}

/** No reseller plans, or the catalogue is unavailable. */
export function NoResellerPlans() {
  const { t } = useTranslation()
  return (
    <section className="card narrow">
      <h1>{t("resellers.heading")}</h1>
      <p className="lead">{t("resellers.none")}</p>
    </section>
  )
}
