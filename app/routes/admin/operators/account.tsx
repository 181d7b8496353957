import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { newPasswordProblem } from "~/domain/operators/operator-account"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  changeOwnPassword,
  endOwnSession,
  ownAccount,
  replaceRecoveryCodes,
} from "~/flows/admin/operators/own-account.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { type AccountNotice, AccountScreen } from "~/ui/admin/operators/account-screen.server"
import { RecoveryCodesScreen } from "~/ui/admin/operators/recovery-codes-screen.server"
import { sentKeyIn } from "../action-form.server"
import { noticeOf, proofAsked, sentBefore } from "../action-notice.server"
import type { Route } from "./+types/account"

const PATH = "/admin/account"
const notices: Readonly<Record<string, AccountNotice>> = {
  password: { kind: "good", text: t("account.passwordDone") },
  session: { kind: "good", text: t("account.ended") },
  // Nothing else says that the codes run out.
  recovery: { kind: "good", text: t("account.byRecoveryCode") },
}

export function loader({ context, url }: Route.LoaderArgs) {
  return account(context, notices[url.searchParams.get("done") ?? ""] ?? null)
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formOf(request)
  const intent = textIn(form, "intent")
  if (intent === "codes") return newCodes(context, form)
  return intent === "password" ? newPassword(context, form) : endSession(context, form)
}

function requestOf(form: FormData) {
  const proof = { password: textIn(form, "password"), code: textIn(form, "code") }
  return { formKey: sentKeyIn(form), proof }
}

/** The codes are shown in the answer to the form, since they are stored as hashes only. */
async function newCodes(context: RouteContext, form: FormData): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const outcome = await replaceRecoveryCodes(services, actor, requestOf(form))
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind !== "done") return account(context, noticeOf(outcome))
  const head = { title: t("codes.title"), path: PATH }
  return consolePage(context, head, <RecoveryCodesScreen codes={outcome.value} />)
}

async function newPassword(context: RouteContext, form: FormData): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const password = textIn(form, "newPassword")
  const typing = newPasswordProblem(password, textIn(form, "confirmPassword"))
  if (typing) return account(context, { kind: "bad", text: t(`setUp.${typing}`) })
  const outcome = await changeOwnPassword(services, actor, { ...requestOf(form), password })
  if (outcome.kind === "done") return redirect(`${PATH}?done=password`, 303)
  if (outcome.kind === "guessable" || outcome.kind === "overloaded")
    return account(context, { kind: "bad", text: t(`setUp.${outcome.kind}`) })
  if (outcome.kind === "repeated") return sentBefore(PATH)
  return account(context, noticeOf(outcome))
}

async function endSession(context: RouteContext, form: FormData): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const request = { formKey: sentKeyIn(form), sessionId: textIn(form, "session") }
  const outcome = await endOwnSession(services, actor, request)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  return outcome.kind === "done" ? redirect(`${PATH}?done=session`, 303) : account(context, noticeOf(outcome))
}

async function account(context: RouteContext, notice: AccountNotice | null): Promise<Response> {
  const { services, session, actor } = consoleRequest(context)
  const { codesLeft, sessions } = await ownAccount(services, actor)
  const keys = {
    password: newFormKey(services, session),
    codes: newFormKey(services, session),
    sessions: sessions.map(() => newFormKey(services, session)),
  }
  const view = { session, codesLeft, sessions, keys, notice, timeZone: services.shop.timeZone }
  const head = { title: t("account.title"), path: PATH, notice }
  const proof = proofAsked(context, notice)
  return consolePage(context, head, <AccountScreen {...view} proof={proof} />)
}
