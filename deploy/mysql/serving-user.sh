# Creates the user that serves, which may only read and write rows. The MySQL image runs this file when it creates a new
# database; `docker_process_sql` is a function of the image. MYSQL_SERVING_PASSWORD_FILE: a file with the password.
(
  password=$(<"${MYSQL_SERVING_PASSWORD_FILE:?}")
  password=${password//\\/\\\\}
  docker_process_sql <<SQL
CREATE USER kalends IDENTIFIED BY '${password//\'/\'\'}';
GRANT SELECT, INSERT, UPDATE, DELETE ON kalends.* TO kalends;
SQL
)
