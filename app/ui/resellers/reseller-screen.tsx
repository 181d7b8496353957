import { Link } from "react-router"
import { MINUTE, SECOND } from "~/domain/calendar"
import { bestPerLine, type ResellerPlan } from "~/domain/catalogue/catalogue"
import {
  confirmPasswordRule,
  currentPasswordRule,
  emailRule,
  newPasswordRule,
} from "~/domain/forms/field-rules"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { type OrderField, OrderForm, type ShownOffer, UpdateButton } from "../checkout/order-form"
import { PlanCards } from "../checkout/plan-cards"
import { GatewayPicker } from "../form/gateway-picker"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { spanText } from "../layout/format"
import { type AccountField, ResellerAccountStep } from "./reseller-account"
import { ResellerPlanText } from "./reseller-plan-text"

type Reseller = ShownOffer<ResellerPlan> & {
  /** What a credit is worth. */
  lead: string
  /** The credits of the plans, for the form. */
  credits: string
  /** What a plan does for who has an account. */
  furtherPlan: string
  /** E-mail of the signed-in customer. */
  signedInEmail: string | null
  /** The visitor has a reseller account to go to. */
  isReseller: boolean
  /** The visitor selected "I have an account". */
  existing: boolean
  /** The shop sends messages. */
  hasMail: boolean
  /** Idempotency key of the form. */
  formKey: string
  /** Seconds to wait after too many attempts; 0: none. */
  wait: number
}

type ResellerField = OrderField | AccountField

/** Checks the account fields that are visible for the chosen answer. */
function accountCheck(typed: TypedText<ResellerField>): Partial<Record<ResellerField, string | null>> {
  const email = emailRule(typed("email"))
  if (typed("existing") === "yes") return { email, password: currentPasswordRule(typed("password")) }
  const newPassword = typed("newPassword")
  return {
    email,
    newPassword: newPasswordRule(newPassword),
    confirmPassword: confirmPasswordRule(newPassword)(typed("confirmPassword")),
  }
}

const noAccount = (_: TypedText<ResellerField>) => ({})

/** The checkout of reseller plans: plan, account and gateway. */
export function ResellerScreen(shown: Reseller) {
  const { plans, gateways, choices, lastResult, typed, signedInEmail, isReseller, existing, formKey, wait } =
    shown
  const { t } = useTranslation()
  const checked = useCheckedForm({
    id: "order",
    lastResult,
    check: signedInEmail === null ? accountCheck : noAccount,
  })
  const { fields } = checked
  return (
    <OrderForm
      offer={shown}
      checked={checked}
      formKey={formKey}
      heading={t("resellers.heading")}
      lead={shown.lead}
      notice={<RetryAfterNotice seconds={wait} />}
    >
      {() => (
        <>
          <input type="hidden" name="credits" value={shown.credits} />
          <PlanCards
            plans={plans}
            chosen={choices.plan}
            field={fields.plan}
            best={bestPerLine(plans)}
            text={(plan) => <ResellerPlanText plan={plan} />}
          />
          <ResellerAccountStep
            signedInEmail={signedInEmail}
            isReseller={isReseller}
            existing={existing}
            furtherPlan={shown.furtherPlan}
            hasMail={shown.hasMail}
            fields={fields}
            email={typed.email}
          />
          <GatewayPicker
            gateways={gateways}
            field={fields.gateway}
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

/** No reseller plans, or the catalogue is unavailable. */
export function NoResellerPlans() {
  const { t } = useTranslation()
  return (
    <section className="card narrow">
      <h1>{t("resellers.heading")}</h1>
      <p className="lead">{t("resellers.none")}</p>
      <Link className="main button" to={localPath(useLocale(), "/")}>
        {t("frame.plans")}
      </Link>
    </section>
  )
}
