import { Form, Link } from "react-router"
import type { RefusedForm } from "~/domain/refused-form"
import { AddressText } from "../layout/address-text"
import { DoneNotice } from "../layout/done-notice"
import { PaymentsCard, type PaymentsView } from "../success/payments-card"
import { ServiceList, type ServiceListed } from "../success/service-list"
import { EmailChangeCard, type EmailChangeView } from "./email-change-card"

/** The page of a signed-in customer's account, with its texts in the visitor's language. */
export type AccountView = {
  readonly heading: string
  readonly email: string
  /** To the services; null without any. */
  readonly back: { readonly text: string; readonly path: string } | null
  readonly services: readonly ServiceListed[]
  /** To the renewal of all services in one order; null unless several can be renewed. */
  readonly renewAll: { readonly text: string; readonly path: string } | null
  /** Null: nothing has been paid. */
  readonly payments: PaymentsView | null
  /** Null: the credit is not this visitor's to see. */
  readonly credit: { readonly heading: string; readonly text: string; readonly note: string } | null
  /** Null: this browser may not change the e-mail. */
  readonly emailChange: EmailChangeView | null
  readonly sessions: {
    readonly heading: string
    /** How and when this browser was signed in; null if that is unknown. */
    readonly own: string | null
    readonly lead: string
    readonly action: string
  }
  /** What has just been done; null: nothing. */
  readonly done: string | null
}

type Account = {
  view: AccountView
  /** The answer to a refused form. */
  lastResult: RefusedForm | null | undefined
  /** How long to wait after too many attempts; 0: none. */
  retryAfterSeconds: number
}

/** All services with their ends, their payments, the account credit, the e-mail and the sessions. */
export function AccountScreen({ view, ...answer }: Account) {
  const { services, renewAll, payments, credit, done } = view
  return (
    <div className="narrow service">
      <DoneNotice text={done} />
      <section className="card account-head">
        <h1>{view.heading}</h1>
        <p className="lead">
          <AddressText text={view.email} />
        </p>
        {view.back && (
          <Link className="quiet" to={view.back.path}>
            {view.back.text}
          </Link>
        )}
      </section>
      {services.length > 0 && (
        <ServiceList services={services} shown="">
          {renewAll && (
            <Link className="button" to={renewAll.path}>
              {renewAll.text}
            </Link>
          )}
        </ServiceList>
      )}
      {payments && <PaymentsCard payments={payments} />}
      {credit && (
        <section className="card">
          <h2>{credit.heading}</h2>
          <p>{credit.text}</p>
          <p className="note">{credit.note}</p>
        </section>
      )}
      {view.emailChange && <EmailChangeCard view={view.emailChange} {...answer} />}
      <Sessions {...view.sessions} />
    </div>
  )
}

function Sessions({ heading, own, lead, action }: AccountView["sessions"]) {
  return (
    <section className="card" id="sessions">
      <h2>{heading}</h2>
      {own && <p>{own}</p>}
      <p className="note">{lead}</p>
      <Form method="post" reloadDocument>
        <button name="intent" value="end-sessions">
          {action}
        </button>
      </Form>
    </section>
  )
}
