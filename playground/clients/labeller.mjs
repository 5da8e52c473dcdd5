// A Probot App as people write them: it greets people who open an issue, and labels on "/label a, b" with the example of
// probot-commands, an extension by others.
import commands from "probot-commands";

export default (app) => {
  app.on("issues.opened", async (context) => {
    const { sender } = context.payload;
    await context.octokit.rest.issues.addLabels(context.issue({ labels: ["question"] }));
    await context.octokit.rest.issues.createComment(context.issue({ body: `Thanks, @${sender.login}.` }));
  });

  commands(app, "label", async (context, command) => {
    const labels = command.arguments.split(/, */);
    await context.octokit.rest.issues.addLabels(context.issue({ labels }));
  });
};
