// Octokit as an App: signs in, finds where it is installed, pages through issues, labels and comments. Prints what it saw.
import { App, Octokit } from "octokit";

const { BASE_URL, APP_ID, PRIVATE_KEY, USER_TOKEN } = process.env;

const app = new App({
  appId: APP_ID,
  privateKey: PRIVATE_KEY,
  Octokit: Octokit.defaults({ baseUrl: `${BASE_URL}/api/v3` }),
});
const seen = { app: (await app.octokit.request("GET /app")).data.slug, issues: [], labels: [], refused: [] };

for await (const { octokit, repository } of app.eachRepository.iterator()) {
  const here = { owner: repository.owner.login, repo: repository.name };
  const issues = await octokit.paginate(octokit.rest.issues.listForRepo, { ...here, direction: "asc", per_page: 2 });
  seen.issues = issues.map((issue) => issue.title);
  const on = { ...here, issue_number: issues[0].number };
  const { data: labels } = await octokit.rest.issues.addLabels({ ...on, labels: ["bug", "from octokit"] });
  seen.labels = labels.map((label) => label.name);
  await octokit.rest.issues.removeLabel({ ...on, name: "bug" });
  const { data: comment } = await octokit.rest.issues.createComment({ ...on, body: "Seen by Octokit." });
  await octokit.rest.reactions.createForIssueComment({ ...here, comment_id: comment.id, content: "eyes" });
  seen.comment = comment.user.login;

  const reader = new Octokit({ auth: USER_TOKEN, baseUrl: `${BASE_URL}/api/v3` });
  for (const attempt of [
    () => reader.rest.issues.addLabels({ ...on, labels: ["bug"] }),
    () => octokit.rest.issues.removeLabel({ ...on, name: "not there" }),
    () => octokit.rest.issues.create({ ...here, title: "" }),
  ]) {
    try {
      await attempt();
      seen.refused.push("taken");
    } catch (error) {
      seen.refused.push(`${error.status} ${error.response.data.message}`);
    }
  }
}
console.log(JSON.stringify(seen));
