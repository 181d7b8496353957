import type { LoggedServices } from "~/context/services.server"
import { LINK_PERIOD } from "~/domain/customers/sign-in-request"
import { requestOfToken } from "~/security/sign-in-codes.server"
import { completeSignIn, type SignedInByMail } from "./complete-sign-in.server"

type Link = { readonly token: string; readonly sessionId: string }

/** The request that a link would use; null if it is forged, expired, used or replaced. Nothing changes. */
export async function openSignInLink(
  { signInRequests, signer, now }: Pick<LoggedServices, "signInRequests" | "signer" | "now">,
  { token, sessionId }: Link,
): Promise<{ readonly requestId: string; readonly email: string } | null> {
  const requestId = requestOfToken(signer, token)
  if (requestId === null) return null
  const at = now()
  const request = await signInRequests.find(requestId, { sessionId, since: at - LINK_PERIOD, at })
  return request && { requestId, email: request.email }
}

/** Authenticates a customer by the link of a message, in any browser; null if the link does not work any more. */
export async function signInByLink(
  services: LoggedServices,
  link: Link,
): Promise<(SignedInByMail & { readonly requestId: string }) | null> {
  const opened = await openSignInLink(services, link)
  const signedIn = opened && (await completeSignIn(services, { ...opened, sessionId: link.sessionId }))
  return signedIn && { ...signedIn, requestId: opened.requestId }
}
