package io.microbatch.connect.console;

import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;

/**
 * The console's addresses below {@code /microbatch} of the worker's REST interface. All of them only read. The worker's
 * listeners, TLS and authentication apply, as to Connect's own addresses. The worker's request threads.
 */
@Path("/microbatch")
public final class ConsoleResource {

    private static final String JSON = "application/json";

    /** The page loads its own two files and asks its own worker, and nothing else. */
    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final Console console;
    private final byte[] page = resource("console.html");
    private final byte[] script = resource("console.js");
    private final byte[] style = resource("console.css");

    ConsoleResource(Console console) {
        this.console = console;
    }

    /**
     * The page. Its files are found relative to its address, which has to end in a slash.
     *
     * @param uri the address that was asked for
     */
    @GET
    public Response page(@Context UriInfo uri) {
        URI asked = uri.getRequestUri();
        return asked.getPath().endsWith("/")
                ? file(page, "text/html")
                : Response.temporaryRedirect(asked.resolve(asked.getPath() + "/"))
                        .build();
    }

    /** The page's script. */
    @GET
    @Path("console.js")
    public Response script() {
        return file(script, "text/javascript");
    }

    /** The page's style. */
    @GET
    @Path("console.css")
    public Response style() {
        return file(style, "text/css");
    }

    /**
     * The source tasks with their figures.
     *
     * @param local whether only those of this worker are wanted
     * @param figures whether the figures are wanted
     * @param rates whether the events a second of the last ten minutes are wanted
     * @param goalMs the p99 in milliseconds that an advice is wanted for; without it there is no advice
     * @param authorization the caller's credentials, which are passed to the other workers
     * @param asked the address that was asked for
     */
    @GET
    @Path("v1/tasks")
    public Response tasks(
            @QueryParam("local") @DefaultValue("false") boolean local,
            @QueryParam("figures") @DefaultValue("true") boolean figures,
            @QueryParam("rates") @DefaultValue("false") boolean rates,
            @QueryParam("p99") Double goalMs,
            @HeaderParam("Authorization") String authorization,
            @Context UriInfo asked) {
        if (goalMs != null && !isGoal(goalMs)) {
            return refused();
        }
        Console.Query query = new Console.Query(figures, rates, goalMs == null ? Double.NaN : goalMs, local);
        return answer(() -> console.answer(query, Caller.of(asked, authorization)));
    }

    /**
     * The source tasks with an advice for each.
     *
     * @param goalMs the p99 in milliseconds that the operator accepts
     * @param authorization the caller's credentials, which are passed to the other workers
     * @param asked the address that was asked for
     */
    @GET
    @Path("v1/advice")
    public Response advice(
            @QueryParam("p99") Double goalMs,
            @HeaderParam("Authorization") String authorization,
            @Context UriInfo asked) {
        double goal = goalMs == null ? Advisor.GOAL_MS_DEFAULT : goalMs;
        return isGoal(goal)
                ? answer(() ->
                        console.answer(new Console.Query(false, false, goal, false), Caller.of(asked, authorization)))
                : refused();
    }

    /**
     * The last ten minutes of one task.
     *
     * @param connector the connector's name
     * @param task the task's number
     * @param local whether only this worker is asked
     * @param authorization the caller's credentials, which are passed to the task's worker
     * @param asked the address that was asked for
     */
    @GET
    @Path("v1/history")
    public Response history(
            @QueryParam("connector") String connector,
            @QueryParam("task") Integer task,
            @QueryParam("local") @DefaultValue("false") boolean local,
            @HeaderParam("Authorization") String authorization,
            @Context UriInfo asked) {
        if (connector == null || task == null) {
            return error(400, "connector and task name the task whose history is wanted.");
        }
        return answer(() -> console.history(new TaskKey(connector, task), local, Caller.of(asked, authorization)));
    }

    private static boolean isGoal(double goalMs) {
        return goalMs >= AdviceLimits.MIN_GOAL_MS && goalMs <= AdviceLimits.MAX_GOAL_MS;
    }

    private static Response refused() {
        return error(400, "p99 is a number of milliseconds from 1 to 30000, as latency.target.ms is.");
    }

    /** What the console is asked. */
    private interface Question {

        byte[] answer() throws Console.BusyException, InterruptedException;
    }

    private static Response answer(Question question) {
        try {
            return Response.ok(question.answer(), JSON)
                    .header("Cache-Control", "no-store")
                    .header("X-Content-Type-Options", "nosniff")
                    .build();
        } catch (Console.BusyException e) {
            return error(503, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return error(503, "The worker stops.");
        }
    }

    private static Response error(int status, String message) {
        return Response.status(status)
                .type(JSON)
                .entity(Json.write(Map.of("error_code", status, "message", message)))
                .build();
    }

    private static Response file(byte[] content, String type) {
        return Response.ok(content, type + ";charset=utf-8")
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cache-Control", "no-cache")
                .build();
    }

    private static byte[] resource(String name) {
        try (InputStream in = ConsoleResource.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
