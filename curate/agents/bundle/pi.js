// Written by `curate install`; `curate uninstall pi` removes it.
// Asks the hook of curate what is remembered for each prompt, and tells it when a run has ended. Nothing else.
import { spawn } from "node:child_process";

const HOOK = ["curate-hook"];
const REVIEW = ["curate"];
const PATIENCE_MS = 3000;

/**
 * @typedef {{ cwd?: string, ui?: { notify?: (text: string, kind?: string) => void },
 *   sessionManager?: { getSessionFile?: () => string | undefined, getSessionId?: () => string | undefined } }} Context
 * @typedef {{ prompt?: unknown, messageType?: string }} PromptEvent
 * @typedef {{ message: { customType: string, content: string, display: boolean } }} Answer
 * @typedef {{ on: (event: string, handler: (event: PromptEvent, context: Context) => unknown) => void,
 *   registerCommand?: (name: string, options: { description: string,
 *     handler: (args: string, context: Context) => unknown }) => void }} Pi
 */

/**
 * Run a command and give what it printed; an empty text when it fails or takes too long.
 * @param {string[]} command
 * @param {string} input
 * @param {string | undefined} cwd
 * @param {number} patience
 * @returns {Promise<string>}
 */
function run(command, input, cwd, patience) {
  return new Promise((resolve) => {
    try {
      const child = spawn(command[0], command.slice(1), { cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      /** @type {Buffer[]} */
      const chunks = [];
      const timer = setTimeout(() => { child.kill(); resolve(""); }, patience);
      child.on("error", () => { clearTimeout(timer); resolve(""); });
      child.on("close", () => { clearTimeout(timer); resolve(Buffer.concat(chunks).toString("utf8").trim()); });
      child.stdout.on("data", (chunk) => chunks.push(chunk));
      child.stdin.on("error", () => {});
      child.stdin.end(input);
    } catch {
      resolve("");
    }
  });
}

/**
 * @param {string} event
 * @param {Record<string, unknown>} payload
 * @param {Context} context
 * @returns {Promise<string>}
 */
function ask(event, payload, context) {
  const manager = context.sessionManager;
  const input = { ...payload, cwd: context.cwd, session_id: manager?.getSessionId?.(), session_file: manager?.getSessionFile?.() };
  return run([...HOOK, event], JSON.stringify(input), context.cwd, PATIENCE_MS);
}

/** @param {Pi} pi */
export default function curate(pi) {
  pi.on("before_agent_start", async (event, context) => {
    const text = await ask("before_agent_start", { prompt: event.prompt, messageType: event.messageType }, context);
    try {
      return text ? /** @type {Answer} */ (JSON.parse(text)) : undefined;
    } catch {
      return undefined;
    }
  });
  for (const event of ["agent_end", "session_shutdown"]) {
    pi.on(event, async (_event, context) => {
      await ask(event, {}, context);
    });
  }
  pi.registerCommand?.("curate-memory", {
    description: "Open the review of what you told your agents that should hold from now on.",
    handler: async (_args, context) => {
      const said = await run(REVIEW, "", context.cwd, 10 * PATIENCE_MS);
      context.ui?.notify?.(said || "curate could not be started; run `curate doctor`", said ? "info" : "error");
    },
  });
}
