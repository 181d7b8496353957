import { isRefusedByBilling } from "~/billing/billing"
import type { ExternalCustomers, ExternalPasswords } from "~/billing/external/external-customers"
import { isConflict, nullIfUnsupported, nullOnRejection, type RemoteCall } from "./api-client.server"
import { type CustomerAuth, customerByEmailOnly, type Known } from "./customer-auth.server"
import { calls } from "./remote-calls"
import type { Tokens } from "./token-cache.server"

/** Customers of the server. Caches the tokens that authentication returns. */
export function remoteCustomers(
  remoteCall: RemoteCall,
  customerAuth: CustomerAuth,
  tokens: Tokens,
): ExternalCustomers {
  function withTokenCached({ customer, token }: Known) {
    tokens.set(customer.customerId, token)
    return customer
  }

  return {
    hasSingleCurrency: false,
    identify: async (visitor) => withTokenCached(await customerAuth.identify(visitor)),

    async customerOf(email) {
      const known = await customerAuth.findByEmail(email)
      return known && withTokenCached(known)
    },

    async signIn({ email, password }) {
      const known = await customerAuth.verifyPassword({
        ...customerByEmailOnly(email),
        password,
        existing: true,
      })
      return known && withTokenCached(known)
    },

    /** Sends a registered e-mail as an existing account: as a sign-up, a server might accept it with any password. */
    async resellerAuth(request) {
      const existing = request.existing || (await customerAuth.findByEmail(request.email)) !== null
      const verified = await customerAuth.verifyPassword({ ...request, existing })
      const made = verified !== null && !existing
      const known =
        verified ?? (existing ? null : await customerAuth.verifyPassword({ ...request, existing: true }))
      return known && { customer: withTokenCached(known), made }
    },

    passwords: remotePasswords(remoteCall),

    async isReseller({ customerId, email }) {
      const call = remoteCall(calls.isReseller, { email, userid: customerId }, { customerId })
      const result = await nullOnRejection(call)
      return result !== null && !result.error && result.reseller
    },

    async recordClick({ affiliateId, referer }) {
      await remoteCall(calls.newClick, { aff_id: affiliateId, referer })
    },

    async passesFraudCheck(ip) {
      const { valid } = await remoteCall(calls.checkFraud, { ip })
      return valid
    },
  }
}

function remotePasswords(remoteCall: RemoteCall): ExternalPasswords {
  return {
    /** Treats every rejection except 409 as unsupported: older servers reject unknown calls in many ways. */
    async setPassword({ customerId, reach, passwordId = null }, password) {
      const request = { userid: customerId, password, reach, passwordid: passwordId }
      try {
        await remoteCall(calls.setPassword, request, { customerId })
        return true
      } catch (error) {
        if (isConflict(error) || !isRefusedByBilling(error)) throw error
        return false
      }
    },

    async endSignUpPassword(customerId) {
      const result = await nullIfUnsupported(
        remoteCall(calls.endSignUpPassword, { userid: customerId }, { customerId }),
      )
      return result === null ? null : result.ended
    },
  }
}
