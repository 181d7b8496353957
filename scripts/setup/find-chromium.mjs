import { findProgram } from "./find-program.mjs"

/**
 * Returns the Chromium that the tests drive, or null. The headless shell renders pages as Chromium does, without the parts of a
 * desktop browser, which take as much processor time again.
 */
export const findChromium = () => findProgram("chromium-headless-shell") ?? findProgram("chromium")
