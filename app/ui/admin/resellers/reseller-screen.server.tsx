import type { ResellerEntry, ResellerLine, ResellerListItem } from "~/billing/reseller-admin"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"
import { Fact, ListPages, ListTable } from "../list-parts.server"
import { customerHref, orderHref, serviceHref } from "../record-links.server"
import { paidUntilText, ServicePill } from "../services/services-screen.server"

type Action = "grant-reseller-credits" | "export-reseller-credits"

export type TypedResellerForm = {
  readonly action: Action
  readonly credits: string
  readonly from: string
  readonly to: string
  readonly reason: string
}

type ResellerProps = {
  reseller: ResellerListItem
  entries: readonly ResellerEntry[]
  lines: readonly ResellerLine[]
  /** Addresses of older entries, older lines, and the newest of both; null without them. */
  links: { readonly entries: string | null; readonly lines: string | null; readonly newest: string | null }
  /** What the operator sees, for a form to tell whether it has changed. */
  seen: string
  /** What the role of who asks allows. */
  actions: readonly Action[]
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: TypedResellerForm | null
  timeZone: string
}

/** A reseller: credits, the ledger, the lines, and what may be done. */
export function ResellerScreen(props: ResellerProps) {
  const { reseller, notice, actions } = props
  return (
    <>
      <div className="title">
        <h1 className="breaks">{reseller.email}</h1>
      </div>
      <FormNotice notice={notice} />
      <div className="with-side">
        <div>
          <section className="card">
            <dl className="facts">
              <Fact name="resellers.credits">{reseller.credits}</Fact>
              <Fact name="resellers.plans">{reseller.activePlans}</Fact>
              <Fact name="resellers.lines">{reseller.lines}</Fact>
            </dl>
            <p>
              <a href={customerHref(reseller.id)}>{t("resellers.customer")}</a>
            </p>
          </section>
          <Ledger {...props} />
          <Lines {...props} />
        </div>
        <div>
          <section className="card">
            <h2>{t("action.title")}</h2>
            {actions.length === 0 && <p>{t("action.nothing")}</p>}
            <Actions {...props} />
          </section>
        </div>
      </div>
      <p>
        <a href={consoleHref("/admin/resellers")}>{t("resellers.all")}</a>
      </p>
    </>
  )
}

const entryNames = { older: "resellers.older", newer: "resellers.older", newest: "resellers.newest" } as const

function Ledger({ entries, links, timeZone }: ResellerProps) {
  return (
    <section className="card">
      <h2>{t("resellers.ledger")}</h2>
      {entries.length === 0 ? (
        <p>{t("resellers.noEntries")}</p>
      ) : (
        <ListTable
          label={t("resellers.ledger")}
          heads={[
            { text: "resellers.time" },
            { text: "resellers.cause" },
            { text: "resellers.change", isNumber: true },
            { text: "resellers.about" },
          ]}
        >
          {entries.map(({ id, at, cause, amount, reason, orderId, customerName }) => (
            <tr key={id}>
              <td>{localText(at, timeZone)}</td>
              <td>{t(`resellers.causes.${cause}`)}</td>
              <td className="number">{amount > 0 ? `+${amount}` : amount}</td>
              <td className="breaks">
                {orderId !== null && (
                  <>
                    <a href={orderHref(orderId)}>{orderId}</a>{" "}
                  </>
                )}
                {customerName}
                {reason}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      <ListPages links={{ older: links.entries, newer: null, newest: links.newest }} names={entryNames} />
    </section>
  )
}

function Lines({ lines, links, timeZone }: ResellerProps) {
  return (
    <section className="card">
      <h2>{t("resellers.lines")}</h2>
      {lines.length === 0 ? (
        <p>{t("resellers.noLines")}</p>
      ) : (
        <ul className="rows">
          {lines.map(({ id, customerName, username, status, paidUntil }) => (
            <li key={id}>
              <div className="grow breaks">
                <a href={serviceHref(id)}>{customerName || username}</a> <small>{username}</small>
                <p>
                  {t("services.end")}: {paidUntilText({ status, paidUntil }, timeZone)}
                </p>
              </div>
              <ServicePill status={status} />
            </li>
          ))}
        </ul>
      )}
      <ListPages links={{ older: links.lines, newer: null, newest: links.newest }} names={entryNames} />
    </section>
  )
}

function Actions({ reseller, seen, actions, newKey, proof, typed }: ResellerProps) {
  return actions.map((action) => {
    const refused = typed?.action === action ? typed : null
    return (
      <ActionForm
        key={action}
        action={action}
        name={t(`resellers.actions.${action}`)}
        now={t("resellers.creditsNow", { credits: reseller.credits })}
        after={t(`resellers.after.${action}`)}
        formKey={newKey()}
        seen={seen}
        refused={refused}
        proof={proof}
      >
        {action === "grant-reseller-credits" ? (
          <TextField
            id="credits"
            name="credits"
            label={t("resellers.howMany")}
            value={refused?.credits}
            inputMode="numeric"
            maxLength={6}
          />
        ) : (
          (["from", "to"] as const).map((name) => (
            <TextField
              key={name}
              id={name}
              name={name}
              label={t(`resellers.${name}`)}
              value={refused?.[name]}
              type="date"
              isOptional
            />
          ))
        )}
      </ActionForm>
    )
  })
}
