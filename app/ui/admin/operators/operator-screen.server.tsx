import type { OperatorListed, SessionListed } from "~/billing/operators/operators"
import { localText } from "~/domain/local-time"
import { roleDescriptions } from "~/domain/operators/operator"
import type { AccountAction, AccountState } from "~/domain/operators/operator-account"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"
import { Fact } from "../list-parts.server"
import { OperatorPill, usedText } from "./operators-screen.server"

/** What was typed in a form that was refused. */
export type TypedAccountForm = { readonly action: AccountAction; readonly reason: string }

type OperatorProps = {
  account: {
    readonly operator: OperatorListed
    readonly sessions: readonly SessionListed[]
    readonly state: AccountState
    readonly seen: string
  }
  /** What the role of who asks and the state allow. */
  actions: readonly AccountAction[]
  /** Those that need password and code. */
  provenActions: readonly AccountAction[]
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  typed: TypedAccountForm | null
  timeZone: string
}

/** An operator: role, state and open sessions, and what an owner may do with the account. */
export function OperatorScreen(props: OperatorProps) {
  const { account, notice, timeZone } = props
  const { operator } = account
  return (
    <>
      <div className="title">
        <h1>{operator.email}</h1>
        <OperatorPill operator={operator} />
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <dl className="facts">
          <Fact name="operators.role">
            {`${t(`frame.roles.${operator.role}`)}: ${roleDescriptions[operator.role]}`}
          </Fact>
          <Fact name="operators.since">{localText(operator.createdAt, timeZone)}</Fact>
          <Fact name="operators.used">{usedText(operator, timeZone)}</Fact>
          {operator.disabledAt !== null && (
            <Fact name="operators.disabled">{localText(operator.disabledAt, timeZone)}</Fact>
          )}
        </dl>
      </section>
      <Sessions sessions={account.sessions} timeZone={timeZone} />
      <Actions {...props} />
    </>
  )
}

function Sessions({ sessions, timeZone }: { sessions: readonly SessionListed[]; timeZone: string }) {
  return (
    <section className="card">
      <h2>{t("account.sessions")}</h2>
      {sessions.length === 0 && <p>{t("operators.noSession")}</p>}
      <ul className="rows">
        {sessions.map(({ id, createdAt, usedAt, address, browser }) => (
          <li key={id}>
            <div className="grow">
              <strong>{browser ?? t("account.unknownBrowser")}</strong>
              <p>
                {address ?? t("account.unknownAddress")}.{" "}
                {t("account.since", {
                  since: localText(createdAt, timeZone),
                  used: localText(usedAt, timeZone),
                })}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Actions({ account, actions, provenActions, newKey, proof, typed }: OperatorProps) {
  return (
    <section className="card">
      <h2>{t("action.title")}</h2>
      {account.state.isOwn && (
        <p>
          {t("operators.own")} <a href={consoleHref("/admin/account")}>{t("nav.account")}</a>
        </p>
      )}
      {!account.state.isOwn && actions.length === 0 && <p>{t("action.nothing")}</p>}
      {actions.map((action) => (
        <ActionForm
          key={action}
          action={action}
          name={t(`operators.actions.${action}.name`)}
          now={nowText(account)}
          after={t(`operators.actions.${action}.after`)}
          formKey={newKey()}
          seen={account.seen}
          refused={typed?.action === action ? typed : null}
          proof={provenActions.includes(action) ? proof : null}
          destroys={action === "disable-operator"}
        />
      ))}
    </section>
  )
}

function nowText({ operator, sessions }: OperatorProps["account"]): string {
  const open = t("operators.open", { count: sessions.length })
  if (operator.disabledAt !== null) return t("operators.disabled")
  return `${t(operator.isSetUp ? "operators.active" : "operators.invited")}, ${open}`
}
