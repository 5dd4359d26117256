package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A mistake on the command line: one line, exit code 2. */
class MistakesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            fly                        | ayatori: unknown command 'fly'; see ayatori --help
            --fly                      | ayatori: unknown option '--fly'; see ayatori --help
            run                        | ayatori run: no command given; see ayatori run --help
            run --                     | ayatori run: no command given; see ayatori run --help
            run --fly java             | ayatori run: unknown option '--fly'; see ayatori run --help
            run --policy fast -- java  | ayatori run: unknown policy 'fast': it is one of none, nice, static, mixed; see ayatori run --help
            run --policy               | ayatori run: Missing required parameter for option '--policy' (POLICY); see ayatori run --help
            ps 1 2                     | ayatori ps: one argument too many: '2'; see ayatori ps --help
            ps x                       | ayatori ps: 'x' is no process id; see ayatori ps --help
            doctor 1 2                 | ayatori doctor: one argument too many: '2'; see ayatori doctor --help
            doctor x                   | ayatori doctor: 'x' is no process id; see ayatori doctor --help
            doctor -1                  | ayatori doctor: there is no process -1; see ayatori doctor --help
            doctor --probe -1          | ayatori doctor: --probe -1 is not between 0 and 600; see ayatori doctor --help
            doctor --probe x           | ayatori doctor: 'x' is not an int; see ayatori doctor --help
            why 1                      | ayatori why: Missing required parameter: 'THREAD'; see ayatori why --help
            why x main                 | ayatori why: 'x' is no process id; see ayatori why --help
            why -- -1 main             | ayatori why: there is no process -1; see ayatori why --help
            why 1 main --for 5         | ayatori why: --for '5': must be 100ms to 60m, such as 10s; see ayatori why --help
            why 1 main --for 61m       | ayatori why: --for '61m': must be 100ms to 60m, such as 10s; see ayatori why --help
            aggregate                  | ayatori aggregate: no command given; see ayatori aggregate --help
            aggregate fly              | ayatori aggregate: unknown command 'fly'; see ayatori aggregate --help
            aggregate run --batch=x -- true | ayatori aggregate run: 'x': use auto, always or never; see ayatori aggregate run --help
            aggregate start --batch=x  | ayatori aggregate start: 'x': use auto, always or never; see ayatori aggregate start --help
            aggregate run --without-bpf | ayatori aggregate run: no command given; see ayatori aggregate run --help
            aggregate run --without-bpf --batch=auto -- true | ayatori aggregate run: --batch is for the scheduler that --without-bpf does without: leave one of them out; see ayatori aggregate run --help
            aggregate meter --for 5    | ayatori aggregate meter: --for '5': must be 100ms to 60m, such as 10s; see ayatori aggregate meter --help
            doctor --host-file /no/f   | ayatori doctor: the host file /no/f cannot be read; see ayatori doctor --help
            ps -1                      | ayatori ps: there is no process -1; see ayatori ps --help
            """)
    void isToldInOneLine(String arguments, String expected) {
        StringWriter err = new StringWriter();
        CommandLine line = Ayatori.commandLine();
        line.setErr(new PrintWriter(err));
        assertEquals(2, line.execute(arguments.split(" ")));
        assertEquals(expected + System.lineSeparator(), err.toString());
    }
}
