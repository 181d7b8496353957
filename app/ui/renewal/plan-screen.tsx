import { Form, Link } from "react-router"
import { NOT_MADE_PLAN_CHANGE, REFUSED_PLAN_CHANGE } from "~/domain/forms/renewal-fields"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { type RefusedForm, resultFor } from "~/domain/refused-form"
import { useTranslation } from "~/i18n/use-translation"
import { Declarations, type LawShown } from "../checkout/order-summary"
import { FieldError } from "../form/field-error"
import { FoldedGatewayChoice, type GatewayOffer } from "../form/gateway-picker"
import { useCheckedForm } from "../form/use-checked-form"

/** The plan that follows, as texts in the page's language. */
export type NextPlanView = {
  readonly serviceId: string
  readonly text: string
  /** Takes it back; null: it is paid already. */
  readonly takeBack: string | null
}

/** The change of a service's plan, as texts in the page's language. */
export type PlanView = {
  readonly heading: string
  readonly lead: string
  readonly notes: readonly string[]
  readonly next: NextPlanView | null
  readonly choices: readonly {
    readonly text: string
    readonly price: string
    readonly note: string
    /** Null: it is not to be had yet. */
    readonly path: string | null
    readonly isChosen: boolean
  }[]
  readonly chosen: ChosenPlanView | null
  /** Why the form was refused. */
  readonly refused: string
  /** Why it was refused, if external billing has not made the change; null: it always makes it. */
  readonly notMade: string | null
  readonly back: { readonly text: string; readonly path: string }
}

/** `isDue`: what is to be paid now. */
type Figure = { readonly label: string; readonly value: string; readonly isDue?: boolean }

/** A plan with all figures of the change. */
export type ChosenPlanView = {
  readonly heading: string
  readonly notes: readonly string[]
  readonly figures: readonly Figure[]
  readonly intent: "plan-change" | "plan-next" | "plan-upgrade"
  readonly submit: string | null
  readonly fields: Readonly<Record<string, string>>
  readonly gateways: readonly GatewayOffer[]
  /** Null: nothing is paid. */
  readonly gateway: GatewayId | null
  readonly law: LawShown
}

type Shown = { readonly view: PlanView; readonly lastResult: RefusedForm | null | undefined }

/** Change of plan or billing cycle: what can be chosen, then all figures of the chosen one, then the order. */
export function PlanScreen({ view, lastResult }: Shown) {
  const { heading, lead, notes, next, choices, chosen, back } = view
  return (
    <div className="narrow service">
      <section className="card">
        <h1>{heading}</h1>
        <p className="lead">{lead}</p>
        {/* Its form, which would say why, may have gone too. */}
        {!chosen && lastResult && (
          <p className="problem" role="alert">
            {problemIn(view, lastResult.error?.[""]) ?? view.refused}
          </p>
        )}
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {next && <NextPlan next={next} />}
        {!chosen && choices.length > 0 && <Choices choices={choices} />}
        {chosen && <Chosen key={chosen.heading} view={view} chosen={chosen} lastResult={lastResult} />}
        <Link className="quiet" to={back.path} reloadDocument>
          {back.text}
        </Link>
      </section>
    </div>
  )
}

/** What a form's errors mean, where the page has the text; null: they are others. */
function problemIn({ refused, notMade }: PlanView, errors: readonly string[] | null | undefined) {
  if (errors?.includes(NOT_MADE_PLAN_CHANGE)) return notMade
  return errors?.includes(REFUSED_PLAN_CHANGE) ? refused : null
}

/** The plan that follows, and the way to keep the present one. */
export function NextPlan({ next: { serviceId, text, takeBack } }: { next: NextPlanView }) {
  return (
    <Form method="post" className="decline" id="plan" reloadDocument>
      <input type="hidden" name="serviceid" value={serviceId} />
      <p>{text}</p>
      {takeBack && (
        <button name="intent" value="plan-keep">
          {takeBack}
        </button>
      )}
    </Form>
  )
}

function Choices({ choices }: Pick<PlanView, "choices">) {
  return (
    <ul className="lines plan-choices">
      {choices.map(({ text, price, note, path, isChosen }) => (
        <li key={text}>
          <span>
            {path === null ? (
              text
            ) : (
              <Link to={path} aria-current={isChosen ? "true" : undefined} reloadDocument>
                {text}
              </Link>
            )}{" "}
            <small>{note}</small>
          </span>{" "}
          <span>{price}</span>
        </li>
      ))}
    </ul>
  )
}

type ChosenShown = Shown & { readonly chosen: ChosenPlanView }

function Chosen({ view, chosen, lastResult: answer }: ChosenShown) {
  const { t } = useTranslation()
  const { heading, notes, figures, intent, submit, fields: hidden, gateways, gateway, law } = chosen
  const lastResult = resultFor(intent, answer)
  const { form, fields, formProps } = useCheckedForm<"gateway">({
    id: "change",
    lastResult,
    check: () => ({}),
  })
  const problem = problemIn(view, form.errors)
  return (
    <>
      <h2 className="chosen-plan">{heading}</h2>
      <ul className="lines">
        {figures.map(({ label, value, isDue }) => (
          <li key={label}>
            <span>{isDue ? <strong>{label}</strong> : label}</span>{" "}
            <span>{isDue ? <strong>{value}</strong> : value}</span>
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className="note">
          {note}
        </p>
      ))}
      {/* A full document navigation, since the gateway is another site. */}
      <Form method="post" reloadDocument {...formProps}>
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {problem ? (
          <p className="problem" role="alert">
            {problem}
          </p>
        ) : (
          <FieldError field={form} />
        )}
        {gateway !== null && (
          <FoldedGatewayChoice gateways={gateways} chosen={gateway} field={fields.gateway} />
        )}
        {law.declarations && (
          <Declarations words={law.declarations} formId="change" lastResult={lastResult} />
        )}
        <button className="main" name="intent" value={intent}>
          {submit ?? law.orderButton ?? t("checkout.pay")}
        </button>
      </Form>
    </>
  )
}
